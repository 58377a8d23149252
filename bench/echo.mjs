// The baseline: bare fastify over TLS that answers each body with itself. Prints its port.
import { readFileSync } from "node:fs";
import fastify from "fastify";

const [certs] = process.argv.slice(2);
const app = fastify({
  https: { key: readFileSync(`${certs}/tls.key`), cert: readFileSync(`${certs}/tls.crt`) },
  bodyLimit: 7 * 1024 * 1024,
  logger: false,
});
app.post("/echo", async (request) => request.body);
await app.listen({ host: "127.0.0.1", port: 0 });
process.stdout.write(`${JSON.stringify({ port: app.server.address().port })}\n`);
process.on("SIGTERM", () => app.close());
