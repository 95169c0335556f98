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
 * Stops gRPC from sending a server name (SNI) when the connection string has an IP address: RFC 6066 forbids addresses
 * there, and Node.js warns about them (DEP0123). gRPC 1.14 sends any host, and the client offers no way to supply
 * connections. The certificate is still compared with the address. Applies to the whole process from now on.
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
