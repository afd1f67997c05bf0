/**
 * Defines `window.kleverWeb` as the Klever extension and the browser in Klever's app do. The sandbox keeps the keys and
 * decides how the wallet behaves; it is asked at the node that the page names as the provider.
 */
(() => {
  const late = "LATE";
  const call = async (path, body) => {
    const { node } = window.kleverWeb.provider ?? {};
    if (node === undefined) throw new Error("no provider was set");
    const response = await fetch(`${node}/_sim/wallet/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return JSON.parse(text);
  };

  let address;
  const wallet = {
    provider: undefined,
    initialize: async () => {
      ({ address } = await call("account", {}));
    },
    getWalletAddress: () => {
      if (address === undefined) throw new Error("the wallet was not initialized");
      return address;
    },
    signTransaction: (transaction) => call("sign", transaction),
  };
  if (late === "true") setTimeout(() => (window.kleverWeb = wallet), 1500);
  else window.kleverWeb = wallet;
})();
