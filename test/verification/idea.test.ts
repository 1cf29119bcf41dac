import { verifyGroup } from "./verify-group.js";

verifyGroup("idea");
