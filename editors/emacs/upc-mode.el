;;; upc-mode.el --- Unified Parallel C  -*- lexical-binding: t; -*-

;; Package-Requires: ((emacs "26.1"))
;; Keywords: languages

;;; Commentary:

;; C mode with the words of UPC, and upc-language-server for eglot:
;;
;;     (add-to-list 'load-path "PREFIX/share/banyan/editors/emacs")
;;     (require 'upc-mode)
;;     (add-hook 'upc-mode-hook 'eglot-ensure)

;;; Code:

(require 'cc-mode)

(defgroup upc nil
  "Unified Parallel C."
  :group 'languages)

(defcustom upc-server "upc-language-server"
  "The language server: a name that PATH has, or its path."
  :type 'string)

(defcustom upc-settings nil
  "What the language server is told at its start, as (:arguments [\"-T\" \"4\"] :remarks \"hints\")."
  :type 'plist)

(defconst upc-font-lock-keywords
  `((,(regexp-opt '("shared" "strict" "relaxed") 'symbols) . font-lock-keyword-face)
    (,(regexp-opt '("THREADS" "MYTHREAD" "UPC_MAX_BLOCK_SIZE") 'symbols) . font-lock-constant-face)
    (,(regexp-opt '("upc_forall" "upc_barrier" "upc_notify" "upc_wait" "upc_fence"
                    "upc_localsizeof" "upc_blocksizeof" "upc_elemsizeof")
                  'symbols)
     . font-lock-keyword-face)
    ("\\_<upc_\\(?:lock\\|flag\\|op\\|type\\|coll_handle\\|atomicdomain\\|file\\|off\\|async\\|handle\\|thread_info\\|tick\\)\\w*_t\\_>"
     . font-lock-type-face)
    ("\\_<B?UPC_[A-Z][A-Z0-9_]*\\_>" . font-lock-constant-face)
    ("\\_<\\(b?upc_[a-z][a-z0-9_A-Z]*\\)\\_>[ \t]*(" 1 font-lock-builtin-face)
    ("^[ \t]*#[ \t]*pragma[ \t]+upc[ \t]+\\(strict\\|relaxed\\|c_code\\|upc_code\\)\\_>"
     1 font-lock-keyword-face t))
  "What UPC has beyond C.")

;;;###autoload
(define-derived-mode upc-mode c-mode "UPC"
  "C mode with the words of UPC."
  ;; Indented as for, of which it is a form
  (setq-local c-block-stmt-2-key
              (concat "\\(?:" (or (bound-and-true-p c-block-stmt-2-key) "\\<\\>") "\\|\\_<upc_forall\\_>\\)"))
  (setq-local c-opt-block-stmt-key
              (concat "\\(?:" (or (bound-and-true-p c-opt-block-stmt-key) "\\<\\>") "\\|\\_<upc_forall\\_>\\)"))
  (font-lock-add-keywords nil upc-font-lock-keywords))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.\\(?:upc\\|uph\\|upci\\)\\'" . upc-mode))

(defun upc-server-contact (&rest _)
  "How eglot starts the server."
  (append (list upc-server)
          (and upc-settings (list :initializationOptions (list :upc upc-settings)))))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(upc-mode . upc-server-contact)))

(provide 'upc-mode)

;;; upc-mode.el ends here
