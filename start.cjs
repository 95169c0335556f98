/**
 * `npm start`: builds where that is needed and runs the service in this very process. npm passes its signals on to the
 * shell that it starts for a script, which would not pass them on: so the script replaces the shell (`exec`). The shell of
 * Windows has no `exec`, says so, and runs what follows.
 */
require('./build.cjs');

process.argv.push('serve');
// A CommonJS file all the way, which says why.
require('./dist/cli/uptrail.cjs');
