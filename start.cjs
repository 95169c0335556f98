/**
 * `npm start`: builds if necessary, and runs the service in the same process. npm forwards its signals to the shell
 * that it starts for a script, but that shell would not forward them: so the script replaces the shell (`exec`). The
 * shell of Windows has no `exec`, reports that, and runs the alternative.
 */
require('./build.cjs');

process.argv.push('serve');
// CommonJS only; the file explains why.
require('./dist/cli/uptrail.cjs');
