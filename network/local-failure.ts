/** This machine lacks a resource (a tool, a free port, memory), so the failure says nothing about the target. */
export class LocalFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LocalFailure';
  }
}
