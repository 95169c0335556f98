/** The service responded to a request with an error. */
export class ServiceError extends Error {
  readonly status: number;
  /** when to retry, in milliseconds; null: unspecified */
  readonly retryAfterMs: number | null;

  /** @param message from the service */
  constructor(status: number, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.name = 'ServiceError';
  }
}

/** The received data violates the protocol. */
export class InvalidServiceMessage extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvalidServiceMessage';
  }
}
