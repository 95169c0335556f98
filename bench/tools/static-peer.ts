/** A bare Express application that serves one given file. It shows the cost of a static site. */
import express from 'express';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

process.once('message', ({ value }: { value: { base64: string } }) => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-static-'));
  writeFileSync(join(folder, 'index.html'), Buffer.from(value.base64, 'base64'));
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  const app = express();
  app.use(express.static(folder));
  const server = app.listen(0, '127.0.0.1', () => {
    console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
});
process.once('disconnect', () => process.exit());
process.once('SIGTERM', () => process.exit());
