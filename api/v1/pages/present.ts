import { createPresenter } from '../../presenter.ts';
import { Page, VisitedPage } from './schema.ts';

/** Converts a page to its form in responses. */
export const presentPage = createPresenter(Page);

/** Converts a page to its form in responses to visitors. */
export const presentVisitedPage = createPresenter(VisitedPage);
