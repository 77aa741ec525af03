/* oxlint-disable no-var -- of ES5 */
// ES5, because older browsers run it as well. It stands in the page itself, where no failed request can keep it away.
(function () {
  var own = document.currentScript || document.getElementById('first-script');
  var root = document.documentElement;
  var longest = 30000;
  var status = null;

  function show(text) {
    if (!status) {
      status = document.createElement('div');
      status.className = 'page-status';
      status.setAttribute('role', 'status');
      document.body.insertBefore(status, document.body.firstChild);
    }
    setTimeout(function () {
      status.textContent = text; // later, since a live region announces what changes in it
    }, 100);
  }

  function whenParsed(run) {
    if (document.readyState !== 'loading') run();
    else document.addEventListener('readystatechange', once); // before the modules, which DOMContentLoaded waits for
    function once() {
      document.removeEventListener('readystatechange', once);
      run();
    }
  }

  // Each is in the oldest supported version of every browser, and not long before.
  if (!Array.prototype.findLast || !Object.hasOwn || !window.structuredClone) {
    root.className += ' old-browser';
    whenParsed(function () {
      show(own.getAttribute('data-old'));
    });
    return;
  }

  /** Addresses of the scripts that the page starts with. */
  function scripts() {
    var found = [];
    document.querySelectorAll('script[type=module][src], link[rel=modulepreload]').forEach(function (element) {
      found.push(element.src || element.href);
    });
    var page = document.getElementById('prerendered');
    var named = (page && page.getAttribute('data-modules')) || '';
    return found.concat(named.split(' ')).filter(function (url, at, all) {
      return url !== '' && all.indexOf(url) === at;
    });
  }

  // A browser remembers a module that failed until the page is loaded anew: that is done once all scripts are in its cache.
  function load(tries) {
    Promise.all(
      scripts().map(function (url) {
        return fetch(url).then(function (answer) {
          if (!answer.ok) throw answer;
          return answer.arrayBuffer();
        });
      }),
    ).then(
      function () {
        location.reload();
      },
      function () {
        later(tries + 1);
      },
    );
  }

  function later(tries) {
    setTimeout(
      function () {
        load(tries);
      },
      Math.min(longest, 1000 * Math.pow(2, tries)) * (0.75 + Math.random() / 2),
    );
  }

  var waits = false;
  function wait() {
    var page = document.getElementById('prerendered');
    var drawn = document.getElementById('root');
    if (waits || (page && page.hasAttribute('data-whole'))) return; // what is complete without a script stays as it is
    if (drawn && drawn.firstChild) return; // once it is drawn, the portal asks for its later scripts itself
    waits = true;
    root.className += ' scripts-missing';
    document.querySelectorAll('#prerendered form').forEach(function (form) {
      form.inert = true;
    });
    show(own.getAttribute('data-busy'));
    later(0);
  }

  addEventListener(
    'error',
    function (event) {
      var from = event.target;
      if (from && from.tagName === 'SCRIPT' && from.type === 'module') whenParsed(wait);
    },
    true,
  );
  addEventListener('scripts-missing', wait); // of the first module, where one of those that it imports is missing
})();
