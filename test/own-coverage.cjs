/**
 * Limits coverage to the process of a test file. Its child processes (the built program, compilers, copies of the
 * project) run no instrumented source, but collecting their coverage would slow them down and write gigabytes.
 */
if (process.env.NODE_V8_COVERAGE !== undefined) {
  // Without this call, Node.js stops recording source maps when the variable is deleted.
  process.setSourceMapsEnabled(true);
  delete process.env.NODE_V8_COVERAGE;
}
