import { fail, GradstandError } from "../../../errors/index.js";
import { systemCode } from "../../store/store-failure.js";
import type { QueueLibrary, RedisClient, RedisOptions } from "./library.js";

/** Where Redis listens when it is not told anything else. */
export const defaultRedis = "redis://127.0.0.1:6379";

/** Milliseconds that a connection gets. */
const PATIENCE = 10_000;

/** How every connection but the first goes on when the server is away: for as long as it takes. */
export const lasting: RedisOptions = {
  maxRetriesPerRequest: null,
  retryStrategy: (attempt) => Math.min(200 * attempt, 2000),
};

/** Gives the URL of a Redis back. Throws `E_VALUE` when it is none. */
export function requireRedisUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["redis:", "rediss:"].includes(url.protocol) || url.hostname === "")
    fail("E_VALUE", `expected the URL of a Redis, such as ${defaultRedis}; found ${JSON.stringify(text)}`);
  return text;
}

/** A URL as it may be shown: without its password. */
export function shownUrl(text: string): string {
  const url = new URL(text);
  if (url.password !== "") url.password = "***";
  return url.href;
}

/** A client that is connected, and what was last wrong with it. */
export interface Connection {
  readonly client: RedisClient;
  readonly trouble: () => GradstandError;
}

/**
 * Connects to a Redis: at once or not at all, later on for as long as it takes.
 *
 * @param onNotice told when the connection is lost, and when it is back
 * @throws E_REDIS when there is none, it asks for a password or refuses it, or what answers is none
 */
export async function connect(
  { Redis }: QueueLibrary,
  url: string,
  onNotice: (text: string) => void,
): Promise<Connection> {
  let connected = false;
  let last: Error | undefined;
  const client = new Redis(url, {
    ...lasting,
    lazyConnect: true,
    connectTimeout: PATIENCE,
    retryStrategy: (attempt) => (connected ? lasting.retryStrategy(attempt) : null),
  });
  client.on("error", (error) => (last = error));
  try {
    await client.connect();
  } catch (error) {
    client.disconnect();
    throw redisTrouble(url, last ?? timeoutOr(error));
  }
  connected = true;
  let away = false;
  client.on("close", () => {
    if (!away) onNotice(`lost the connection to ${shownUrl(url)}; trying to reach it again`);
    away = true;
  });
  client.on("ready", () => {
    if (away) onNotice(`connected to ${shownUrl(url)} again`);
    away = false;
    last = undefined;
  });
  return { client, trouble: () => redisTrouble(url, last ?? new Error("it does not answer")) };
}

/** A client that gives up says so without a reason where nothing came at all. */
function timeoutOr(error: unknown): Error {
  const { message } = error as Error;
  return message === "Connection is closed."
    ? new Error(`no answer within ${PATIENCE / 1000} s`)
    : (error as Error);
}

/** E_REDIS for what went wrong with a Redis, and what to do about it. */
export function redisTrouble(url: string, error: Error): GradstandError {
  return new GradstandError("E_REDIS", troubleText(shownUrl(url), error), { cause: error });
}

const elsewhere = "--redis URL, or REDIS_URL in the environment, names another one";

function troubleText(url: string, error: Error): string {
  const { message } = error;
  if (/^NOAUTH/.test(message))
    return `the Redis at ${url} asks for a password; give it as REDIS_URL=redis://:PASSWORD@HOST:PORT in the environment`;
  if (/^(WRONGPASS|ERR.*AUTH)/.test(message))
    return `the Redis at ${url} refuses the name or the password that it was given: ${message}; correct REDIS_URL`;
  if (/^NOPERM/.test(message))
    return `the Redis at ${url} does not let this user do what a queue needs: ${message}`;
  if (/^[A-Z]+ /.test(message) && error.name === "ReplyError")
    return `the Redis at ${url} refuses a command: ${message}`;
  if (systemCode(error) !== undefined || /no answer|does not answer|closed/.test(message))
    return `there is no Redis at ${url} that can be reached: ${message}; start one (\`redis-server\`), or: ${elsewhere}`;
  return `expected a Redis at ${url}, but what answers there does not speak like one: ${message}; ${elsewhere}`;
}
