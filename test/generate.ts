/** Writes all files that are generated from the code. Usage: `npm run generate [-- --release]` */
import { writeFileSync } from 'node:fs';
import { generatedTexts } from './generated.ts';
import { generateCatalogue } from './golden/golden.ts';

generateCatalogue({ release: process.argv.includes('--release') });
for (const { path, text } of generatedTexts()) writeFileSync(path, text);
