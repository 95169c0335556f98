/**
 * A bare Express application that responds with a given JSON text. It shows the cost of HTTP without Uptrail's code.
 */
import express from 'express';
import type { AddressInfo } from 'node:net';

process.once('message', ({ value }: { value: unknown }) => {
  const app = express();
  app.get('/', (_request, response) => {
    response.json(value);
  });
  app.post('/', express.json(), (_request, response) => {
    response.status(201).json(value);
  });
  const server = app.listen(0, '127.0.0.1', () => {
    console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
});
process.once('disconnect', () => process.exit());
