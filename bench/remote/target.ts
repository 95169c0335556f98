/**
 * The target of a remote runner's checks: a page on the loopback interface of the runner's namespace. Prints its port,
 * and records when each request arrived. SIGUSR2 clears the record. After each line on standard input, the process
 * prints the record.
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
