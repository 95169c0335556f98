/** The service has answered a request with an error. */
export class ServiceRefused extends Error {
  readonly status: number;
  /** when it is to be tried again, in how many milliseconds; null: it did not say */
  readonly retryAfterMs: number | null;

  /** @param message what the service said */
  constructor(status: number, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.name = 'ServiceRefused';
  }
}

/** What was received is not what the protocol says. */
export class NotUnderstood extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotUnderstood';
  }
}
