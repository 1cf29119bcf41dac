import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createRequire } from "node:module";
import { queueName } from "../../src/bench/executors/bullmq/cell-queue.js";
import { emptyFolder } from "../cli/command.js";

const packages = fileURLToPath(new URL("./node_modules", import.meta.url));

interface Client {
  call(command: string, ...words: (string | number)[]): Promise<unknown>;
  disconnect(): void;
}

/** A Redis of a test's own, without a disk: what it is killed with is lost. */
export class RedisServer {
  #process: ChildProcess | undefined;
  #client: Client | undefined;
  readonly #folder = emptyFolder();

  private constructor(
    readonly port: number,
    readonly password: string | undefined,
  ) {}

  static async start(password?: string): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), password);
    await server.restart();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** The URL with the password that it asks for. */
  get secretUrl(): string {
    return `redis://:${this.password}@127.0.0.1:${this.port}`;
  }

  async restart(): Promise<void> {
    const words = ["--port", String(this.port), "--save", "", "--dir", this.#folder];
    if (this.password !== undefined) words.push("--requirepass", this.password);
    this.#process = spawn("redis-server", words, { stdio: "ignore" });
    const { Redis } = createRequire(import.meta.url)("ioredis") as {
      Redis: new (url: string, options: object) => Client;
    };
    this.#client ??= new Redis(this.password === undefined ? this.url : this.secretUrl, {
      maxRetriesPerRequest: null,
      retryStrategy: () => 50,
    });
    (this.#client as unknown as NodeJS.EventEmitter).on("error", () => undefined);
    await this.call("PING");
  }

  async kill(): Promise<void> {
    const ended = once(this.#process!, "exit");
    this.#process!.kill("SIGKILL");
    await ended;
  }

  async stop(): Promise<void> {
    this.#client?.disconnect();
    if (this.#process?.exitCode === null && this.#process.signalCode === null) await this.kill();
  }

  call(command: string, ...words: (string | number)[]): Promise<unknown> {
    return this.#client!.call(command, ...words);
  }

  /** Jobs that wait, or that workers have. */
  async jobs(state: "wait" | "active"): Promise<number> {
    return Number(await this.call("LLEN", `gradstand:${queueName()}:${state}`));
  }

  /** Answers that lie there. */
  async answers(): Promise<number> {
    return ((await this.call("KEYS", "gradstand:*:answer:*")) as unknown[]).length;
  }

  /** Waits until so many jobs wait, are active, or have answers. */
  async until(what: "wait" | "active" | "answers", count: number): Promise<void> {
    while ((what === "answers" ? await this.answers() : await this.jobs(what)) !== count) await pause(20);
  }
}

/** An empty folder where bullmq and ioredis are installed. */
export function projectFolder(): string {
  const folder = emptyFolder();
  fs.symlinkSync(packages, path.join(folder, "node_modules"));
  return folder;
}

async function freePort(): Promise<number> {
  const listener = net.createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as net.AddressInfo;
  listener.close();
  await once(listener, "close");
  return port;
}
