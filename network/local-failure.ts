/** This machine lacks a resource (a tool, a free port, memory), so nothing is known about the target. */
export class LocalFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LocalFailure';
  }
}
