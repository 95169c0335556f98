/**
 * Coverage counts what a test file itself runs. What it starts (the built program, compilers, copies of the project)
 * counts for no source, but would be slowed by it and leave gigabytes to read.
 */
if (process.env.NODE_V8_COVERAGE !== undefined) {
  // Else Node.js keeps source maps only while it finds the variable.
  process.setSourceMapsEnabled(true);
  delete process.env.NODE_V8_COVERAGE;
}
