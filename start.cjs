/**
 * `npm start` runs this script, which builds the product if necessary and runs the service in the same process. npm
 * starts a shell for the script and sends signals to that shell, which would not forward them. Therefore the command in
 * package.json replaces the shell by this script (`exec`). The shell of Windows has no `exec`, so it reports an error
 * and runs the alternative command.
 */
require('./build.cjs');

process.argv.push('serve');
// This file is CommonJS; a comment in it explains why.
require('./dist/cli/uptrail.cjs');
