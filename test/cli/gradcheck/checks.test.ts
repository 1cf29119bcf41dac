import { describe, expect, test } from "vitest";
import { gradcheck, halves } from "./file.js";

const lines = (text: string): string[] => text.trimEnd().split("\n");
const laws = ["CorrectGradients", "Adjoint", "SecondOrder", "ZeroCotangent", "SameBits"];

describe("a right and a wrong function", () => {
  test("a line for each check, the failure explained, totals last, exit 1", async () => {
    const { code, out, err } = await gradcheck("square.js", halves);
    expect(code).toBe(1);
    expect(lines(out).at(-1)).toMatch(/^\d+ passed, \d+ failed$/);
    const [right, wrong] = out.split("\nwrong\n");
    for (const law of laws)
      expect(right).toMatch(new RegExp(`^  pass ${law} +\\S+ of \\S+ in \\d+ numbers$`, "m"));
    expect(wrong).toMatch(/^ {2}FAIL CorrectGradients/m);
    expect(wrong).toMatch(/CorrectGradients does not hold: gradient of input 0, element \[/);
    expect(wrong).toMatch(/expected \S+ +\(differences\)/);
    expect(wrong).toMatch(/hint +found = 0\.5 × expected: a term is missing .* or a factor 2/);
    expect(wrong).toMatch(/'wrong' \(number 1\).*\n +called at square\.js:11:\d+ in wrong/);
    expect(wrong).toContain('expectCorrectGradients(wrong, [tensor([[1]], { dtype: "float64" })], options)');
    expect(wrong).toMatch(/^ {2}pass SameBits/m);
    expect(err).toContain("--seed 0");
  });

  test("--only checks one, exit 0 when it is right", async () => {
    const { code, out } = await gradcheck("square.js", halves, ["--only", "right"]);
    expect([code, lines(out).at(-1)]).toEqual([0, "5 passed, 0 failed"]);
    expect(out).not.toContain("wrong");
    const none = await gradcheck("square.js", halves, ["--only", "rihgt"]);
    expect(none.code).toBe(2);
    expect(none.err).toMatch(/has no case or idea 'rihgt'; did you mean 'right'/);
  });

  test("--json prints one document", async () => {
    const { code, out } = await gradcheck("square.js", halves, ["--json", "--seed", "4"]);
    const report = JSON.parse(out) as Record<string, unknown> & { checks: Record<string, unknown>[] };
    expect(code).toBe(1);
    expect(report).toMatchObject({ schemaVersion: 1, command: "gradcheck", file: "square.js", seed: 4 });
    expect(report.checks).toHaveLength(Number(report.passed) + Number(report.failed));
    expect(report.checks[0]).toMatchObject({ subject: "right", check: "CorrectGradients", status: "passed" });
    expect(report.checks.find(({ status }) => status === "failed")).toMatchObject({ subject: "wrong" });
  });

  test("GitHub gets an annotation with file and line", async () => {
    const { err } = await gradcheck("square.js", halves, [], { GITHUB_ACTIONS: "true" });
    expect(err).toMatch(
      /^::error file=square\.js,line=9,title=wrong%3A CorrectGradients::CorrectGradients does not hold.*%0A/m,
    );
  });

  test("the same seed draws the same inputs, another seed others", async () => {
    const run = async (seed: string): Promise<string> =>
      (await gradcheck("square.js", halves, ["--only", "right", "--seed", seed])).out;
    const [a, b, c] = await Promise.all([run("1"), run("1"), run("2")]);
    expect(a).toBe(b);
    expect(c).not.toBe(a);
  });

  test("--runs, --tolerance and --float32 change what is checked", async () => {
    const counted = async (...words: string[]): Promise<string> =>
      (await gradcheck("square.js", halves, ["--only", "right", ...words])).out;
    const numbers = (out: string): number => Number(/CorrectGradients .* in (\d+) numbers/.exec(out)![1]);
    expect(numbers(await counted("--runs", "40"))).toBeGreaterThan(
      2 * numbers(await counted("--runs", "10")),
    );
    expect(await counted("--float32")).toMatch(/pass Float32Gradients/);
    const loose = await gradcheck("square.js", halves, ["--only", "wrong", "--tolerance", "10"]);
    expect(loose.out).toMatch(/pass CorrectGradients/);
  });
});

test("TypeScript, modules, records, lists and default exports are found", async () => {
  const { code, out, err } = await gradcheck(
    "all.ts",
    `import { tensor, generator, type Tensor } from "gradstand";
    import { Linear, Module } from "gradstand/nn";
    enum Kind { A }
    export const cases: object[] = [
      { name: "fixed", f: (x: Tensor): Tensor => x.exp(), inputs: [tensor([1, Kind.A])] },
      { f: (x: Tensor, y: Tensor) => x.matmul(y), signature: "(...,m,n),(n,p)->(...,m,p)", domain: [0.5, 1] },
    ];
    export const helper = (x: Tensor) => x;
    export class Own extends Module {}
    export const number = 3;
    export default { name: "main", f: (x: Tensor) => x.log(), signature: "(n)", domain: [1, 2], tolerance: 1e-8 };`,
  );
  expect([code, out.trimEnd().split("\n").at(-1)]).toEqual([0, "15 passed, 0 failed"]);
  for (const name of ["fixed", "cases[1]", "main"]) expect(out.split("\n")).toContain(name);
  expect(out).toMatch(/CorrectGradients +\S+ of 1.0e-8/);
  expect(err).toContain("passed over, for they have neither signature nor inputs: helper\n");
});

test("a module is checked in its parameters too, in float64 whatever it was made in", async () => {
  const { code, out } = await gradcheck(
    "module.js",
    `import { generator } from "gradstand";
    import { GRU, Linear, Module } from "gradstand/nn";
    const rng = generator(1);
    class Cut extends Module {
      linear = new Linear(2, 2, { rng });
      forward(x) { return x.matmul(this.linear.weight.detach()).add(this.linear.bias); }
    }
    const linear = new Linear(2, 2, { rng });
    export const cases = [
      { name: "gru", f: new GRU(2, 2, { rng }), signature: "(1,3,2)" },
      { name: "cut", f: new Cut(), signature: "(n,2)->(n,2)" },
      { name: "around", f: (x) => linear.forward(x).relu(), module: linear, signature: "(n,2)" },
    ];`,
  );
  expect(code).toBe(1);
  expect(out).toMatch(/^gru\n {2}pass CorrectGradients/m);
  expect(out).toMatch(/^cut\n {2}FAIL CorrectGradients.*\n.*gradient of linear\.weight/m);
  expect(out).toMatch(/^around\n {2}pass CorrectGradients/m);
});

test("an idea is checked by its own identities and by what it changes", async () => {
  const { code, out } = await gradcheck(
    "idea.ts",
    `import { builtInIdeas } from "gradstand/ideas";
    const [first] = builtInIdeas.values();
    const broken = { ...first, name: "broken", checks: () => [
      { name: "sum", statement: "1 + 1 = 3", observed: 1, bound: 0.5, passed: false },
    ] };
    export const ideas = [first, broken];`,
  );
  expect(code).toBe(1);
  expect(out).toMatch(/^moment-rank2\n {2}pass orthonormal/m);
  expect(out).toMatch(/^moment-rank2\.hidden\n {2}pass ZeroCotangent/m);
  expect(out).toMatch(/^broken\n {2}FAIL sum .*\n {7}1 \+ 1 = 3: observed 1, bound 0\.5$/m);
  expect(out.trimEnd().split("\n").at(-1)).toMatch(/, 1 failed$/);
});

test("what a file prints goes to stderr, all of it", async () => {
  const text = `console.log("hello");
  export const f = (x) => { console.log("in f"); return x.tanh(); };
  f.signature = "(n)";
  setInterval(() => undefined, 1000);`;
  const { code, out, err } = await gradcheck("prints.js", text, ["--json"]);
  expect(code).toBe(0);
  expect(() => JSON.parse(out) as unknown).not.toThrow();
  expect(err).toMatch(/^hello\n(in f\n)+/);
});
