/** `npm start`: builds where that is needed and runs the service in this very process, which gets npm's signals. */
require('./build.cjs');

process.argv.push('serve');
// A CommonJS file all the way, which says why.
require('./dist/cli/uptrail.cjs');
