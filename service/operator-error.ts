/** An error of the operator or the environment, with a sentence for the operator; the program exits with 1. */
export class OperatorError extends Error {}
