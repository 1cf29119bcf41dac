export { errorCodes, isErrorCode, type ErrorCode, type Explanation } from "./codes.js";
export { fail, GradstandError } from "./gradstand-error.js";
