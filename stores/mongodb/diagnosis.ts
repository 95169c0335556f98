import { readFileSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { BSON, MongoServerSelectionError, type HostAddress, type MongoClient } from 'mongodb';
import { diagnoseConnection, type Endpoint, type ServerProfile } from '../connection-diagnosis.ts';

/**
 * Finds out why the driver has no connection. The driver's own messages do not always name the host, and never say
 * which setting to change.
 *
 * @returns sentences for operators; the driver's own message if no cause is found
 */
export const diagnose = async ({ options }: Pick<MongoClient, 'options'>, error: Error): Promise<string | null> => {
  const { syscall = '', code, hostname } = error as NodeJS.ErrnoException & { hostname?: string };
  // The hosts of a mongodb+srv:// URL are looked up in DNS.
  if (syscall.startsWith('query'))
    return `The DNS records of ${hostname ?? ''} can't be looked up (${code ?? syscall}).`;
  const reaching = profileOf(options);
  const hosts = unknownServers(error) ?? options.hosts.flatMap(endpointOf);
  const troubles = await Promise.all(hosts.map((host) => diagnoseConnection(host, reaching)));
  const found = troubles.filter((trouble) => trouble !== null);
  return found.length > 0 ? found.join(' ') : `The driver reports: ${error.message.replace(/\.$/, '')}.`;
};

/** Returns the servers that the driver could not reach; null if the error does not name them. */
const unknownServers = (error: Error): Endpoint[] | null => {
  if (!(error instanceof MongoServerSelectionError) || !error.reason) return null;
  const unknown = [...error.reason.servers.values()].filter(({ type }) => type === 'Unknown');
  return unknown.flatMap(({ hostAddress }) => endpointOf(hostAddress));
};

/** Returns the host and port; an empty list if the address is a Unix domain socket. */
const endpointOf = ({ host, port }: HostAddress): Endpoint[] =>
  host === undefined || port === undefined ? [] : [{ host, port }];

const profileOf = (options: MongoClient['options']): ServerProfile => {
  const { tls, tlsCAFile, tlsCertificateKeyFile } = options;
  const own = tlsCertificateKeyFile === undefined ? undefined : readFileSync(tlsCertificateKeyFile);
  return {
    variable: 'MONGODB_URL',
    server: 'MongoDB',
    tls: tls
      ? {
          ca: tlsCAFile === undefined ? undefined : readFileSync(tlsCAFile),
          cert: own,
          key: own,
          anyCertificate: options.rejectUnauthorized === false,
          anyName: options.checkServerIdentity !== undefined,
        }
      : null,
    speaksProtocol: speaksMongoDb,
  };
};

const OP_MSG = 2013;
/** Offset of the operation code in a message. Before it are the length and two ids. */
const OPERATION_AT = 12;

/** Returns whether the peer responds to the command `hello`, which needs no authentication. */
const speaksMongoDb = (socket: Duplex): Promise<boolean> =>
  new Promise((resolve) => {
    let received = Buffer.alloc(0);
    socket.on('data', (bytes: Buffer) => {
      received = Buffer.concat([received, bytes]);
      if (received.length >= OPERATION_AT + 4) resolve(received.readInt32LE(OPERATION_AT) === OP_MSG);
    });
    for (const end of ['error', 'end', 'close']) {
      socket.on(end, () => {
        resolve(false);
      });
    }
    socket.write(hello());
  });

const hello = (): Buffer => {
  const document = BSON.serialize({ hello: 1, $db: 'admin' });
  const head = Buffer.alloc(OPERATION_AT + 4 + 5);
  head.writeInt32LE(head.length + document.length, 0);
  head.writeInt32LE(1, 4);
  head.writeInt32LE(OP_MSG, OPERATION_AT);
  return Buffer.concat([head, document]);
};
