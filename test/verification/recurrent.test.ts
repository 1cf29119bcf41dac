import { verifyGroup } from "./verify-group.js";

verifyGroup("recurrent");
