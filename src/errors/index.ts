export { checkedOptions, checkNumbers } from "./checks.js";
export { errorCodes, isErrorCode, type ErrorCode, type Explanation } from "./codes.js";
export { formatGiven, kindOfGiven } from "./given.js";
export { isOfOtherCopy, markTensors } from "./other-copy.js";
export { errorParts, type ErrorParts } from "./error-parts.js";
export { fail, GradstandError } from "./gradstand-error.js";
