import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** A running side of the benchmark, asked for one measurement at a time; see rows/serve.mjs. */
export class Talk {
  #process;
  #lines;
  #ended;

  constructor({ name, rows: [command, ...args], environment }) {
    this.#process = spawn(command, args, {
      stdio: ["pipe", "pipe", name === "gradstand" ? "inherit" : "ignore"],
      env: { ...process.env, ...environment },
    });
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
    this.#ended = new Promise((resolve) =>
      this.#process.once("exit", (code) => resolve({ done: true, code })),
    );
    this.#process.stdin.on("error", () => undefined);
  }

  /** Milliseconds of one step of a row, or why there is no such figure. */
  async ask(row, budget) {
    this.#process.stdin.write(`${JSON.stringify({ row, budget })}\n`);
    for (;;) {
      const line = await Promise.race([this.#lines.next(), this.#ended]);
      if (line.done)
        return { missing: `its process ended${line.code === undefined ? "" : ` with code ${line.code}`}` };
      if (line.value.startsWith("{")) return JSON.parse(line.value);
    }
  }

  end() {
    this.#process.stdin.end();
    this.#process.kill();
  }
}
