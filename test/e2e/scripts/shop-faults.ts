/** Faults of the shop. */
export interface Faults {
  /** buying gets a 500 */
  checkoutFails: boolean;
  /** the button that buys is called `Place order` instead of `Buy now` */
  buttonRenamed: boolean;
  /** milliseconds that every page takes */
  slow: number;
  /** its customer has another password */
  passwordChanged: boolean;
  /** the picture of the lamp is missing */
  imageMissing: boolean;
  /** the search finds nothing */
  searchEmpty: boolean;
  /** the API changes nothing: 500 */
  changingFails: boolean;
}

export const NO_FAULTS: Readonly<Faults> = {
  checkoutFails: false,
  buttonRenamed: false,
  slow: 0,
  passwordChanged: false,
  imageMissing: false,
  searchEmpty: false,
  changingFails: false,
};

/** The customer who may sign in, on the page and at the API. */
export const CUSTOMER = { email: 'ida@shop.example', password: 'correct horse battery', name: 'Ida' };

/** Opens the API without signing in. */
export const API_TOKEN = 'shop-api-token-7f3a9c';

/** Whether these are the customer's current credentials. */
export const isCustomer = (email: unknown, password: unknown, { passwordChanged }: Faults): boolean =>
  email === CUSTOMER.email && password === (passwordChanged ? 'another password' : CUSTOMER.password);
