import http from "node:http";
import { GradstandError } from "../../errors/index.js";
import { errorPage } from "./error-page.js";

/** The only address that is served: nobody but this machine sees the page. */
const address = "127.0.0.1";

/** A page that is served until it is closed. */
export interface PageServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves a page on 127.0.0.1, made anew at each load; what goes wrong while it is made is shown in its place. A request under another name than
 * 127.0.0.1 or localhost is refused, so that a page of somebody else's, whose name was made to mean this machine, cannot read it.
 *
 * @param port 0 for one that is free
 * @throws E_USAGE when the port is in use or may not be used
 */
export function servePage(make: () => Promise<string>, port: number): Promise<PageServer> {
  /** One page is made after the other. */
  let last: Promise<unknown> = Promise.resolve();
  const made = (): Promise<string> => {
    const page = last.then(make);
    last = page.catch(() => undefined);
    return page;
  };
  const server = http.createServer((request, response) => {
    const { method = "", url = "/", headers } = request;
    const send = (status: number, type: string, body: string): void => {
      response.writeHead(status, { ...commonHeaders, "content-type": `${type}; charset=utf-8` });
      response.end(method === "HEAD" ? undefined : body);
    };
    const own = (server.address() as { port: number }).port;
    if (![`${address}:${own}`, `localhost:${own}`].includes(headers.host ?? ""))
      return send(403, "text/plain", `expected a request to ${address}:${own}\n`);
    if (method !== "GET" && method !== "HEAD") {
      response.setHeader("allow", "GET, HEAD");
      return send(405, "text/plain", "expected GET\n");
    }
    if (url.split("?")[0] !== "/") return send(404, "text/plain", "there is one page, /\n");
    made().then(
      (page) => send(200, "text/html", page),
      (error: unknown) => send(500, "text/html", errorPage(error)),
    );
  });
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(portRefused(error, port)));
    server.listen(port, address, () => {
      const { port: own } = server.address() as { port: number };
      resolve({
        url: `http://${address}:${own}/`,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            server.closeAllConnections();
          }),
      });
    });
  });
}

const commonHeaders = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "content-security-policy": "frame-ancestors 'none'",
} as const;

function portRefused(error: NodeJS.ErrnoException, port: number): GradstandError {
  const why =
    error.code === "EADDRINUSE"
      ? "another program uses it"
      : error.code === "EACCES"
        ? "it may not be used without special rights"
        : error.message;
  return new GradstandError(
    "E_USAGE",
    `--port: ${port} cannot be served: ${why}; choose another, or leave it out for a free one`,
    { cause: error },
  );
}
