/** What the service or a command refuses or can't do, as a sentence for the operator; the program exits with 1. */
export class OperatorError extends Error {}
