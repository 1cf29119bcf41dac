import { verifyGroup } from "./verify-group.js";

verifyGroup("loss");
