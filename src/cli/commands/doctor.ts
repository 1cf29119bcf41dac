import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { gradcheck, tensor } from "../../autograd/index.js";
import { packageFingerprint, packageVersion } from "../../bench/index.js";
import { generator } from "../../random/index.js";
import { kernels, kernelSets } from "../../tensor/index.js";
import { fail } from "../../errors/index.js";
import { commonOptions, requireKnown, type Arguments } from "../arguments.js";
import { exitCodes } from "../exit-codes.js";
import { printJson } from "../print-json.js";
import { configNames, resolveSettings } from "../settings/index.js";
import type { Terminal } from "../terminal.js";
import { runOptions } from "./bench-run.js";
import type { Command } from "./command.js";

/** One thing that was looked at. */
interface Finding {
  readonly name: string;
  readonly value: string;
  /** Where the value comes from. */
  readonly from: string;
  readonly ok: boolean;
}

/** `gradstand doctor`: the environment, and whether the package works in it. */
export const doctor: Command = {
  path: ["doctor"],
  positionals: "",
  summary: "environment, versions, kernels in use, where each setting comes from",
  describe:
    "Shows the environment and where each setting comes from, and runs three small checks. Exit 1 when one fails.",
  options: {},
  async run(args: Arguments, terminal: Terminal): Promise<number> {
    requireKnown(args, "doctor", Object.keys(commonOptions), []);
    if ((args._ as unknown[]).length > 0)
      fail("E_USAGE", `doctor: expected nothing after it, got ${(args._ as unknown[]).join(" ")}`);
    const findings = [...environment(terminal), ...(await settings()), ...checks()];
    const ok = findings.every((finding) => finding.ok);
    if (args.json) printJson("doctor", { ok, findings }, terminal);
    else {
      const width = Math.max(...findings.map(({ name }) => name.length));
      for (const { name, value, from, ok: good } of findings) {
        const mark = good ? terminal.colour.green("✓") : terminal.colour.red("✗");
        terminal.out(
          `${mark} ${name.padEnd(width)}  ${value}${from ? terminal.colour.dim(`  (${from})`) : ""}`,
        );
      }
    }
    return ok ? exitCodes.done : exitCodes.checkFailed;
  },
};

function environment({ colour }: Terminal): Finding[] {
  const node = process.versions.node;
  const [major, minor] = node.split(".").map(Number) as [number, number];
  const supported = (major === 20 && minor >= 19) || (major === 22 && minor >= 13) || major >= 24;
  const cores = os.availableParallelism();
  const variable = (name: string): string => (process.env[name] ? `${name}=${process.env[name]}` : "default");
  const store = path.resolve(".gradstand", "cells");
  const cells = fs.existsSync(store)
    ? fs.readdirSync(store).filter((file) => file.endsWith(".json")).length
    : 0;
  const fact = (name: string, value: string, from = "", ok = true): Finding => ({ name, value, from, ok });
  return [
    fact("gradstand", `${packageVersion()}, code ${packageFingerprint().slice(0, 12)}`),
    fact(
      "Node",
      `${node}, V8 ${process.versions.v8}`,
      supported ? "supported" : "not supported: 20.19, 22.13 or 24 and later",
      supported,
    ),
    fact("platform", `${process.platform} ${process.arch}, ${os.cpus()[0]?.model ?? "unknown processor"}`),
    fact("workers", String(cores), "one a core; --jobs changes it"),
    fact(
      "kernels",
      `${kernels().name} of ${[...kernelSets.keys()].join(", ")}`,
      variable("GRADSTAND_KERNELS"),
    ),
    fact(
      "colour",
      colour.level > 0 ? "on" : "off",
      [variable("NO_COLOR"), variable("FORCE_COLOR")].filter((text) => text !== "default").join(", ") ||
        "the terminal",
    ),
    fact("store", `${store}, ${cells} cells`, "default; --store changes it"),
  ];
}

/** What the environment and the file of the working folder set for runs. */
async function settings(): Promise<Finding[]> {
  const name = "settings";
  try {
    const { sources } = await resolveSettings({}, runOptions);
    if (sources.length === 0)
      return [{ name, value: "those of the preset", from: `no GRADSTAND_…, no ${configNames[0]}`, ok: true }];
    return sources.map(({ name: setting, value, from }) => ({
      name,
      value: `${setting} ${value}`,
      from,
      ok: true,
    }));
  } catch (error) {
    return [{ name, value: error instanceof Error ? error.message : String(error), from: "", ok: false }];
  }
}

function checks(): Finding[] {
  const attempt = (name: string, check: () => string): Finding => {
    try {
      return { name, value: check(), from: "", ok: true };
    } catch (error) {
      return { name, value: error instanceof Error ? error.message : String(error), from: "", ok: false };
    }
  };
  return [
    attempt("gradients", () => {
      const { worst } = gradcheck(
        (x, y) => x.matmul(y).tanh().softmax().log(),
        [
          tensor([[0.3, -0.7]]),
          tensor([
            [0.5, 1.1],
            [-0.4, 0.2],
          ]),
        ],
      );
      return `rules agree with differences to ${worst.toExponential(1)}`;
    }),
    attempt("random numbers", () => {
      const first = generator(0).stream("doctor").uint32();
      const again = generator(0).stream("doctor").uint32();
      return first === again
        ? "a seed gives the same bits again"
        : fail("E_INTERNAL", `a seed gave ${first}, then ${again}`);
    }),
    attempt("writing", () => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), "gradstand-"));
      fs.rmSync(folder, { recursive: true });
      return `a folder can be made in ${os.tmpdir()}`;
    }),
  ];
}
