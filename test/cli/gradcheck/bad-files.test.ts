import { expect, test } from "vitest";
import { emptyFolder } from "../command.js";
import { inProcessAt } from "../recording-terminal.js";
import { folderOf } from "./file.js";

const gradcheck = (name: string, text: string, words: readonly string[] = []) =>
  inProcessAt(["gradcheck", name, ...words], folderOf(name, text));

const good = "export const f = (x) => x.tanh(); f.signature = '(n)->(n)';";

test.each([
  [
    "a syntax error",
    "a.ts",
    "export const f = 1;\n\nconst x = (;\n",
    /a\.ts: it cannot be imported \(line 3\): ParseError: Unexpected token/,
  ],
  [
    "a throw",
    "a.mjs",
    "const a = 1;\nthrow new Error('no luck');\n",
    /it cannot be imported \(line 2\): Error: no luck/,
  ],
  [
    "an import of nothing",
    "a.ts",
    'import { x } from "./nowhere.js";\nexport const f = x;',
    /Cannot find module '\.\/nowhere\.js'/,
  ],
  [
    "an end of the process",
    "a.cjs",
    "process.exit(3);",
    /it ended the process with code 3 while it was imported/,
  ],
  ["another kind of file", "a.py", "x = 1", /expected a file that ends in \.ts/],
  [
    "f that is no function",
    "a.js",
    "export default { f: 3, signature: '(n)' };",
    /default: f: expected a function of tensors, or a module .* got number/,
  ],
  [
    "neither inputs nor signature",
    "a.js",
    "export default { f: (x) => x };",
    /expected either inputs .* or a signature .* got neither/,
  ],
  [
    "a mistyped property",
    "a.js",
    "export default { f: (x) => x, sig: '(n)' };",
    /there is no property sig; a case has name, f/,
  ],
  [
    "inputs that are no tensors",
    "a.js",
    "export default { f: (x) => x, inputs: [[1, 2]] };",
    /inputs\[0\]: expected a tensor, got an object of Array/,
  ],
  [
    "a domain the wrong way round",
    "a.js",
    "export default { f: (x) => x, signature: '(n)', domain: [2, 1] };",
    /domain: expected \[low, high\]/,
  ],
  [
    "a signature that cannot be read",
    "a.js",
    "export const first = (x) => x; first.signature = '(n)'; export const g = (x) => x; g.signature = 'n';",
    /g: signature "n": "n" is not a list of shapes/,
  ],
  [
    "a signature that is no text",
    "a.js",
    "export default { f: (x) => x, signature: 7 };",
    /default: signature: expected a text/,
  ],
  [
    "a throw of what has no text",
    "a.js",
    "throw Object.create(null);",
    /it threw something that is no text \(object\)/,
  ],
])("%s", async (what, name, text, message) => {
  const { code, out, err } = await gradcheck(name, text, ["--timeout", /ends/.test(what) ? "2" : "30"]);
  expect(err).toMatch(message);
  expect(err).toMatch(/^E_GRADCHECK_FILE: /);
  expect([code, out]).toEqual([2, ""]);
});

test("a file that does not exist, no file, two files, bad options", async () => {
  expect(await inProcessAt(["gradcheck", "nowhere.ts"], emptyFolder())).toMatchObject({
    code: 2,
    err: expect.stringMatching(/nowhere\.ts: there is no such file/) as string,
  });
  expect(await inProcessAt(["gradcheck"], emptyFolder())).toMatchObject({
    code: 2,
    err: expect.stringMatching(/expected one file, got none/) as string,
  });
  expect((await inProcessAt(["gradcheck", "a.ts", "b.ts"], emptyFolder())).code).toBe(2);
  for (const option of [
    ["--seed", "x"],
    ["--runs", "0"],
    ["--tolerance", "-1"],
    ["--timeout", "0"],
    ["--tolerence", "1"],
  ])
    expect((await gradcheck("a.js", good, option)).code).toBe(2);
});

test("nothing to check is exit 5", async () => {
  const { code, out, err } = await gradcheck("a.ts", "export const n: number = 3;");
  expect([code, out]).toEqual([5, "0 passed, 0 failed\n"]);
  expect(err).toContain("a.ts exports nothing to check; gradstand gradcheck --help shows the format");
});

test.each([
  [
    "a wrong shape",
    "x.sum(0)",
    /E_SHAPE: for inputs of shape \[\d, \d\] the signature promises \[\d, \d\], it returned \[\d\]/,
  ],
  ["a number", "x.sum().item()", /it returned number; expected a tensor/],
  ["a type without gradient", "x.cast('int32')", /it is not differentiable: it returned int32/],
  ["float32", "x.cast('float32')", /it returned float32 for float64 inputs/],
  ["NaN", "x.log()", /it returned NaN at element \d+/],
  ["a promise", "Promise.resolve(x)", /it returned a promise/],
  ["an error of ours", "x.reshape([7, 7])", /it threw for inputs of shape .*E_SHAPE: reshape/],
  ["a throw of what has no text", "(() => { throw Object.create(null); })()", /it threw .* that is no text/],
  ["an error of its own", "x.nope()", /TypeError: x\.nope is not a function/],
])("a function that gives %s fails, and the others are checked", async (_, body, message) => {
  const text = `export const f = (x) => ${body}; f.signature = "(m,n)->(m,n)"; export const g = (x) => x.tanh(); g.signature = "(n)";`;
  const { code, out } = await gradcheck("a.js", text);
  expect(code).toBe(1);
  expect(out).toMatch(/^f\n {2}FAIL Result\n/);
  expect(out).toMatch(message);
  expect(out).toMatch(/5 passed, 1 failed\n$/);
});

test("a function cut off from its inputs fails its gradients", async () => {
  const { code, out } = await gradcheck(
    "a.js",
    "export const f = (x) => x.detach().mul(2); f.signature = '(n)';",
  );
  expect(code).toBe(1);
  expect(out).toMatch(/FAIL CorrectGradients/);
  expect(out).toMatch(/hint +0 everywhere: detached/);
});
