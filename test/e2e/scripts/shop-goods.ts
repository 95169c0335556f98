/** A product for sale. */
export interface Product {
  id: number;
  name: string;
  /** in euros */
  price: number;
}

/** The products of a shop. Clients of the API can change them. */
export interface Goods {
  all: () => Product[];
  one: (id: number) => Product | undefined;
  add: (product: Omit<Product, 'id'>) => Product;
  change: (id: number, changes: Partial<Omit<Product, 'id'>>) => Product | undefined;
  remove: (id: number) => boolean;
}

const FIRST: readonly Omit<Product, 'id'>[] = [
  { name: 'Desk lamp', price: 49 },
  { name: 'Oak chair', price: 120 },
  { name: 'Wall clock', price: 35 },
];

export const createGoods = (): Goods => {
  const products = new Map<number, Product>();
  let last = 0;
  const add = (product: Omit<Product, 'id'>): Product => {
    last += 1;
    const added = { id: last, ...product };
    products.set(last, added);
    return added;
  };
  for (const product of FIRST) add(product);
  return {
    all: () => [...products.values()],
    one: (id) => products.get(id),
    add,
    change: (id, changes) => {
      const product = products.get(id);
      return product && Object.assign(product, changes);
    },
    remove: (id) => products.delete(id),
  };
};
