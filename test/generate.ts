/** `npm run generate [-- --release]`: writes everything that is generated from the code. */
import { writeFileSync } from 'node:fs';
import { generatedTexts } from './generated.ts';
import { generateCatalogue } from './golden/golden.ts';

generateCatalogue({ release: process.argv.includes('--release') });
for (const { path, text } of generatedTexts()) writeFileSync(path, text);
