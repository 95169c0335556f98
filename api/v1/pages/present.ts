import { createPresenter } from '../../presenter.ts';
import { Page, VisitedPage } from './schema.ts';

/** A page as the API shows it. */
export const presentPage = createPresenter(Page);

/** A page as the API shows it to visitors. */
export const presentVisitedPage = createPresenter(VisitedPage);
