import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { answerKey, queueName, workersIn } from "../../../src/bench/executors/bullmq/cell-queue.js";
import { redisTrouble, requireRedisUrl, shownUrl } from "../../../src/bench/executors/bullmq/connection.js";
import { loadQueueLibrary } from "../../../src/bench/executors/bullmq/library.js";
import { bullmqExecutor, inlineExecutor } from "../../../src/bench/executors/index.js";
import { packageFingerprint } from "../../../src/bench/index.js";
import { emptyFolder } from "../../cli/command.js";

const inEmpty = (): string => path.join(emptyFolder(), "package.json");

/** A project with packages of these contents. */
function project(packages: Readonly<Record<string, string>>): string {
  const folder = emptyFolder();
  for (const [name, content] of Object.entries(packages)) {
    fs.mkdirSync(path.join(folder, "node_modules", name), { recursive: true });
    fs.writeFileSync(path.join(folder, "node_modules", name, "index.js"), content);
  }
  return path.join(folder, "package.json");
}

const bullmq = "module.exports = { Queue: 1, QueueEvents: 2, Worker: 3, WaitingError: 4, more: 5 };";
const ioredis = "module.exports = { Redis: 6 };";

test("each version of the code has a queue of its own", () => {
  expect(queueName("0123456789abcdef0123")).toBe("cells-v1-0123456789abcdef");
  expect(queueName()).toBe(queueName(packageFingerprint()));
  expect(queueName("1".repeat(64))).not.toBe(queueName("2".repeat(64)));
  // BullMQ refuses a colon in the name of a queue.
  expect(queueName()).not.toContain(":");
  expect(answerKey("abc", "cells-v1-1")).toBe("gradstand:cells-v1-1:answer:abc");
});

test("workers are told from other connections, and those of other versions from one's own", () => {
  const named = (queue: string): string => `gradstand:${Buffer.from(queue).toString("base64")}`;
  const list = [
    "id=3 addr=127.0.0.1:1 name= db=0",
    `id=4 addr=127.0.0.1:2 name=${named("cells-v1-1")}:w:host-7 db=0`,
    `id=5 addr=127.0.0.1:3 name=${named("cells-v1-2")}:w:host-8 db=0`,
    `id=6 addr=127.0.0.1:4 name=${named("cells-v1-2")}:w:host-9 db=0`,
    `id=7 addr=127.0.0.1:5 name=${named("cells-v1-1")}:qe db=0`,
    `id=8 addr=127.0.0.1:6 name=other:${Buffer.from("cells-v1-1").toString("base64")}:w:x db=0`,
  ].join("\n");
  expect(workersIn(list, "cells-v1-1")).toEqual({ own: 1, others: 2 });
  expect(workersIn("", "cells-v1-1")).toEqual({ own: 0, others: 0 });
});

test("the packages are taken from the first place that has both", () => {
  const half = project({ bullmq });
  const both = project({ bullmq, ioredis });
  expect(loadQueueLibrary([inEmpty(), half, both])).toEqual({
    Redis: 6,
    Queue: 1,
    QueueEvents: 2,
    Worker: 3,
    WaitingError: 4,
  });
});

test("without them it is said what to install; one that breaks is not called missing", () => {
  const missing = /E_REDIS: .*not installed.*npm install bullmq ioredis/;
  expect(() => loadQueueLibrary([inEmpty(), project({ bullmq })])).toThrow(missing);
  expect(() => loadQueueLibrary([project({ ioredis })])).toThrow(missing);
  const broken = project({ bullmq: "throw new Error('half an install');", ioredis });
  expect(() => loadQueueLibrary([broken])).toThrow(/E_REDIS: .*cannot be loaded: half an install/);
});

test("a URL is looked at before anything is loaded, and shown without its password", () => {
  for (const wrong of ["127.0.0.1:6379", "http://127.0.0.1", "redis:///", "redis", ""])
    expect(() => requireRedisUrl(wrong), wrong).toThrow(
      /E_VALUE: expected the URL of a Redis, such as redis:/,
    );
  expect(requireRedisUrl("rediss://user:secret@host:1/2")).toBe("rediss://user:secret@host:1/2");
  expect(shownUrl("rediss://user:secret@host:1/2")).toBe("rediss://user:***@host:1/2");
  expect(shownUrl("redis://host")).toBe("redis://host");
  const settings = { redis: "http://host", local: inlineExecutor(new Map()) };
  expect(() => bullmqExecutor(settings)).toThrow(/E_VALUE: expected the URL of a Redis/);
  expect(() => bullmqExecutor({ ...settings, redis: "redis://host", jobs: 0 })).toThrow(
    /E_VALUE: the number of jobs/,
  );
});

test.each([
  ["ReplyError", "NOAUTH HELLO must be called", undefined, /asks for a password; give it as REDIS_URL=/],
  ["ReplyError", "WRONGPASS invalid username-password pair", undefined, /refuses the name or the password/],
  ["ReplyError", "NOPERM this user has no permissions", undefined, /does not let this user do what a queue/],
  ["ReplyError", "OOM command not allowed", undefined, /refuses a command: OOM command not allowed/],
  [
    "Error",
    "connect ECONNREFUSED 127.0.0.1:1",
    "ECONNREFUSED",
    /there is no Redis at .*ECONNREFUSED.*--redis URL/,
  ],
  ["Error", "no answer within 10 s", undefined, /there is no Redis at .*no answer within 10 s/],
  ["Error", 'Unknown RESP type 72 "H"', undefined, /what answers there does not speak like one/],
])("what is wrong with a Redis is told apart: %s %s", (name, message, code, said) => {
  const error = Object.assign(new Error(message), { name }, code && { code });
  const trouble = redisTrouble("redis://:secret@host:1", error);
  expect(trouble).toMatchObject({ code: "E_REDIS", cause: error, message: expect.stringMatching(said) });
  expect(trouble.message).not.toContain("secret");
});
