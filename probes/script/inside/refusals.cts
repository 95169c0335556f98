/**
 * Corrects the error that a script sees for a refused connection. The browser only knows that its proxy did not open
 * the connection; the proxy knows the reason. With the correction, a script sees the same error as without a proxy.
 */
const { reasonAt } = require('./errors.cjs') as import('./errors.cts').ErrorsModule;

type Message = import('./internals.cts').Message;
type Playwright = import('./internals.cts').Playwright;
type Reason = import('./socks.cts').Socks['reason'];

/** The exports of `refusals.cjs`. */
export interface RefusalsModule {
  /**
   * Corrects the errors of all browsers from now on.
   *
   * @param reason returns the reason why connecting to a target failed
   */
  explainRefusals: (playwright: Playwright, reason: Reason) => void;
}

const UNTOLD = 'net::ERR_SOCKS_CONNECTION_FAILED';
const REFUSED = 'net::ERR_CONNECTION_REFUSED';
const IN_ERRORS = /net::ERR_SOCKS_CONNECTION_FAILED at (\S+)/g;

const explainRefusals: RefusalsModule['explainRefusals'] = ({ _connection: connection }, reason) => {
  const wasRefused = (address: string): boolean => reasonAt(address, reason)?.startsWith('Connection refused') === true;
  const told = (text: string): string =>
    text.replace(IN_ERRORS, (said, address: string) => (wasRefused(address) ? said.replace(UNTOLD, REFUSED) : said));

  const tell = ({ method, params, error }: Message): void => {
    if (error?.error) {
      error.error.message = told(error.error.message);
      error.error.stack &&= told(error.error.stack);
    }
    if (method !== 'requestFailed' || params?.failureText !== UNTOLD) return;
    const address = connection._objects.get(params.request.guid)?._initializer.url;
    if (address !== undefined && wasRefused(address)) params.failureText = REFUSED;
  };
  const dispatch = connection.dispatch.bind(connection);
  connection.dispatch = (message) => {
    tell(message);
    dispatch(message);
  };
};

module.exports = { explainRefusals } satisfies RefusalsModule;
