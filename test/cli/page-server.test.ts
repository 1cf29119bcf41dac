import http from "node:http";
import { afterEach, expect, test } from "vitest";
import { servePage, type PageServer } from "../../src/cli/inspect/page-server.js";
import { fail } from "../../src/errors/index.js";
import { inProcess } from "./recording-terminal.js";

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: http.IncomingHttpHeaders;
}

const servers: PageServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serving(make: () => Promise<string>): Promise<string> {
  const server = await servePage(make, 0);
  servers.push(server);
  return server.url;
}

/** A request whose every part can be chosen, which fetch does not allow. */
function ask(url: string, { path = "/", method = "GET", headers = {} } = {}): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const request = http.request({ hostname, port, path, method, headers }, (response) => {
      let body = "";
      response.on("data", (text: Buffer) => (body += text.toString()));
      response.on("end", () => resolve({ status: response.statusCode!, body, headers: response.headers }));
    });
    request.on("error", reject);
    request.end();
  });
}

test("a page is made anew at each load, one after the other, and never kept", async () => {
  let [made, open, most] = [0, 0, 0];
  const url = await serving(async () => {
    most = Math.max(most, ++open);
    await new Promise((end) => setTimeout(end, 5));
    open--;
    return `page ${++made}`;
  });
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  const answers = await Promise.all([ask(url), ask(url, { path: "/?again" }), ask(url)]);
  expect(answers.map(({ body }) => body)).toEqual(["page 1", "page 2", "page 3"]);
  expect(most).toBe(1);
  expect(answers[0]!.headers).toMatchObject({
    "cache-control": "no-store",
    "content-type": "text/html; charset=utf-8",
  });
  const head = await ask(url, { method: "HEAD" });
  expect([head.status, head.body]).toEqual([200, ""]);
});

test("an error is shown in the page's place, as text, and the next load tries again", async () => {
  let broken = true;
  const url = await serving(() =>
    Promise.resolve().then(() => (broken ? fail("E_INSPECT_FILE", "a.ts: expected <b> & more") : "repaired")),
  );
  const { status, body } = await ask(url);
  expect(status).toBe(500);
  expect(body).toContain("E_INSPECT_FILE: a.ts: expected &lt;b&gt; &amp; more");
  expect(body).not.toContain("<b>");
  broken = false;
  expect((await ask(url)).body).toBe("repaired");
});

test("only 127.0.0.1 and localhost are answered, only the one page, only to be read", async () => {
  let made = 0;
  const url = await serving(() => Promise.resolve(`page ${++made}`));
  const { port } = new URL(url);
  const status = async (asked: Parameters<typeof ask>[1]): Promise<number> => (await ask(url, asked)).status;
  for (const host of [
    "evil.example",
    `evil.example:${port}`,
    "127.0.0.1",
    "localhost",
    `127.0.0.1:${port}.evil.example`,
  ])
    expect(await status({ headers: { host } }), host).toBe(403);
  expect(await status({ path: "/favicon.ico" })).toBe(404);
  expect(await status({ method: "POST" })).toBe(405);
  expect(made).toBe(0);
  expect(await status({ headers: { host: `localhost:${port}` } })).toBe(200);
});

test("a port that is in use is refused, and so is what does not go with --serve", async () => {
  const { port } = new URL(await serving(() => Promise.resolve("")));
  await expect(servePage(() => Promise.resolve(""), Number(port))).rejects.toThrow(
    `E_USAGE: --port: ${port} cannot be served: another program uses it; choose another`,
  );
  const refusals: [string[], RegExp][] = [
    [["--serve", "--json"], /--json: it does not go with --serve/],
    [["--serve", "--why"], /--why: it does not go with --serve/],
    [["--serve", "--out", "a.html"], /--out: it does not go with --serve/],
    [["--port", "80"], /--port: it belongs to --serve/],
    [["--timeout", "3"], /--timeout: it belongs to a file, and rnn_small is a built-in model/],
  ];
  for (const [words, message] of refusals) {
    const { code, err } = await inProcess(["inspect", "rnn_small", ...words]);
    expect(err).toMatch(message);
    expect(code).toBe(2);
  }
});
