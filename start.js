/** `npm start`: builds where that is needed and runs the service in this very process, which gets npm's signals. */
import './build.js';

process.argv.push('serve');
await import('./dist/cli/main.js');
