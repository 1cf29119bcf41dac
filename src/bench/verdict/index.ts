export { capsOf, type Cap, type Conduct } from "./caps.js";
export { confidenceOf, type Confidence, type ConfidenceEvidence } from "./confidence.js";
export { informativeness, type Informativeness } from "./floors.js";
export { seedProfile, seedVerdict, type SeedEvidence, type SeedVerdict } from "./seed-verdict.js";
export { signFlipName } from "./sign-flip-name.js";
export { strictVerdict, type StrictEvidence, type StrictVerdict } from "./strict-verdict.js";
