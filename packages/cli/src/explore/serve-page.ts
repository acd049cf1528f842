import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface Served {
  readonly address: string;
  /** Settles once the process was asked to end, and the server has. */
  readonly interrupted: Promise<void>;
}

/** Serves one page on localhost, and nothing else. Throws one line where the port is taken. */
export async function servePage(page: string, port: number): Promise<Served> {
  const server = createServer((request, response) => {
    const isPage = request.url === "/" && (request.method === "GET" || request.method === "HEAD");
    response.writeHead(isPage ? 200 : 404, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" });
    response.end(isPage && request.method === "GET" ? page : undefined);
  });
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (error) {
    const { code = "an error" } = error as NodeJS.ErrnoException;
    throw new Error(`--port: expected a free port, got ${port}: ${code}`, { cause: error });
  }
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { address, interrupted: interruption(server) };
}

function interruption(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      server.close(() => resolve());
      server.closeAllConnections();
    };
    process.once("SIGINT", end);
    process.once("SIGTERM", end);
  });
}
