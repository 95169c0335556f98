import { credentials } from '@grpc/grpc-js';
import { isIP } from 'node:net';

interface SecureConnector {
  connectionOptions: { servername?: string };
}

interface SecureCredentials {
  _createSecureConnector: (...given: unknown[]) => SecureConnector;
}

let done = false;

/**
 * Stops gRPC from sending an IP address as the TLS server name (SNI). RFC 6066 forbids addresses as server names, and
 * Node.js warns about them (DEP0123). gRPC 1.14 always sends the host of the connection string, and the client library
 * does not let the caller supply connections. The certificate is still verified against the address. The change applies
 * to the whole process, from this call on.
 */
export const omitAddressesFromSni = (): void => {
  if (done) return;
  done = true;
  const secure = Object.getPrototypeOf(credentials.createSsl()) as SecureCredentials;
  const create = secure._createSecureConnector;
  secure._createSecureConnector = function (...given) {
    const connector = create.apply(this, given);
    if (isIP(connector.connectionOptions.servername ?? '') !== 0) delete connector.connectionOptions.servername;
    return connector;
  };
};
