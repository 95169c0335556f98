/**
 * What the checks of a remote runner watch: a page on the runner's own loopback, which remembers when which check came.
 * Prints its port; SIGUSR2 makes it forget, and a line on its standard input makes it print what it remembers.
 */
import { createServer } from 'node:http';

export const PORT = 4_700;

let arrivals: [number, number][] = [];
process.on('SIGUSR2', () => {
  arrivals = [];
});
process.stdin.on('data', () => {
  console.log(JSON.stringify({ arrivals }));
});
createServer((request, response) => {
  arrivals.push([Number(request.url?.slice(1)), Date.now()]);
  response.end('All is well.');
}).listen({ port: PORT, host: '127.0.0.1', backlog: 1_024 }, () => {
  console.log(PORT.toString());
});
