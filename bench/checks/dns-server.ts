/** A name server on a loopback port that returns one address for every name. */
import { createSocket } from 'node:dgram';

/** The record of every answer: a pointer to the name of the question, type A, class IN, 60 s, four bytes. */
const RECORD = Buffer.of(0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 1);
const HEAD = 12;

/** Returns an answer with the query's question section and the record. */
const answerTo = (query: Buffer): Buffer => {
  const question = query.subarray(0, query.indexOf(0, HEAD) + 5);
  const answer = Buffer.concat([question, RECORD]);
  answer.writeUInt16BE(0x8180, 2);
  // The counts of the header: one question, one answer, nothing else.
  Buffer.of(0, 1, 0, 1, 0, 0, 0, 0).copy(answer, 4);
  return answer;
};

const socket = createSocket('udp4');
socket.on('message', (query, { port, address }) => {
  socket.send(answerTo(query), port, address);
});
process.once('message', () => {
  socket.bind(0, '127.0.0.1', () => process.send?.(socket.address().port));
});
process.once('disconnect', () => process.exit());
