import { pageWordsFor } from '../../messages/page-words/index.ts';
import type { Frame } from '../../views/status/frame.tsx';
import { assetName } from '../assets/bundles.ts';
import type { PageVisit } from './page-route.ts';

/** What a visit's pages have around their content. */
export const frameOf = ({ page, root, choices }: Pick<PageVisit, 'page' | 'root' | 'choices'>): Frame => ({
  root,
  name: page.name,
  pageLanguage: page.language,
  language: choices.language,
  words: pageWordsFor(choices.language),
  theme: choices.theme,
  indexed: !page.hidden_from_search,
  stylesheets: [`assets/${assetName('status.css')}`],
  scripts: [`assets/${assetName('status.js')}`],
});
