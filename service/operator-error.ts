/**
 * An error that the operator has to resolve. The message is a sentence for the operator, and the program exits with
 * code 1.
 */
export class OperatorError extends Error {}
