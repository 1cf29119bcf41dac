/** Matchers for vitest, one for each law of the kit: `import "gradstand/vitest"` adds them to `expect`. */
import { expect } from "vitest";
import { matchers, type LawMatchers } from "./matchers.js";

export { matchers, type LawMatchers };

expect.extend(matchers);

declare module "vitest" {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-explicit-any, @typescript-eslint/no-unused-vars
  interface Assertion<T = any> extends LawMatchers {}
}
