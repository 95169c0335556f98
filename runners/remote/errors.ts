/** The service has responded to a request with an error. */
export class ServiceError extends Error {
  readonly status: number;
  /** the pause before a retry that the service requested, in milliseconds; null if the service requested no pause */
  readonly retryAfterMs: number | null;

  /** @param message the message from the service */
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
