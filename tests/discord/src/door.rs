//! The door of our Discord: plain connections, and way B, a proxy behind which the public address is spoken to over TLS.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll};

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

/// What is behind the proxy.
const PUBLIC: &str = "discord.com";

trait Stream: AsyncRead + AsyncWrite + Unpin + Send {
    /// Makes its end a reset, without a farewell.
    fn reset(&self) {}
}

impl Stream for TcpStream {
    fn reset(&self) {
        // Then it ends as others do, and the test that wanted a reset says so.
        let _ = self.set_zero_linger();
    }
}

impl Stream for tokio_rustls::server::TlsStream<BufReader<TcpStream>> {}

/// The other end of a request's connection, which can be cut.
#[derive(Debug, Clone, Default)]
pub(crate) struct Line(Arc<AtomicBool>);

impl Line {
    /// Cuts the connection: nothing more is read or written.
    pub(crate) fn cut(&self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// A connection.
pub(crate) struct Io {
    inner: Box<dyn Stream>,
    line: Line,
}

impl Io {
    fn check(&self) -> io::Result<()> {
        if self.line.0.load(Ordering::SeqCst) {
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        Ok(())
    }
}

impl Drop for Io {
    fn drop(&mut self) {
        if self.check().is_err() {
            self.inner.reset();
        }
    }
}

impl AsyncRead for Io {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check()?;
        Pin::new(&mut self.inner).poll_read(context, into)
    }
}

impl AsyncWrite for Io {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        from: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.check()?;
        Pin::new(&mut self.inner).poll_write(context, from)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

/// Hands out connections as they come, whichever way.
pub(crate) struct Door {
    incoming: mpsc::UnboundedReceiver<Io>,
}

impl Listener for Door {
    type Io = Io;
    type Addr = Line;

    async fn accept(&mut self) -> (Io, Line) {
        match self.incoming.recv().await {
            Some(io) => {
                let line = io.line.clone();
                (io, line)
            }
            // The double is gone; nobody comes any more.
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<Line> {
        Ok(Line::default())
    }
}

impl Connected<IncomingStream<'_, Door>> for Line {
    fn connect_info(stream: IncomingStream<'_, Door>) -> Line {
        stream.remote_addr().clone()
    }
}

/// What is known of those who came through the proxy.
#[derive(Debug, Default)]
pub(crate) struct Proxied {
    /// Connections asked for, of any address.
    pub(crate) asked: AtomicU64,
}

/// The certificate authority of the double, and its door over TLS.
pub(crate) struct Authority {
    /// What a client has to trust.
    pub(crate) pem: String,
    acceptor: TlsAcceptor,
}

impl Authority {
    /// A new authority that vouches for the public address.
    pub(crate) fn new() -> Result<Authority, Box<dyn std::error::Error>> {
        let mut params = CertificateParams::new(Vec::new())?;
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate()?)?;
        let key = KeyPair::generate()?;
        let params = CertificateParams::new(vec![PUBLIC.to_owned()])?;
        let certificate = params.signed_by(&key, &issuer)?;
        let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(
                vec![certificate.der().clone()],
                PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der())),
            )?;
        Ok(Authority {
            pem: issuer.pem(),
            acceptor: TlsAcceptor::from(Arc::new(config)),
        })
    }
}

/// Opens the door at `plain` and, as the proxy, at `proxy`.
pub(crate) fn open(
    plain: TcpListener,
    proxy: TcpListener,
    authority: Arc<Authority>,
    proxied: Arc<Proxied>,
) -> Door {
    let (sender, incoming) = mpsc::unbounded_channel();
    let directly = sender.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = plain.accept().await {
            // Small answers in quick succession must not wait for each other.
            let _ = stream.set_nodelay(true);
            let io = Io {
                inner: Box::new(stream),
                line: Line::default(),
            };
            if directly.send(io).is_err() {
                return;
            }
        }
    });
    tokio::spawn(async move {
        while let Ok((stream, _)) = proxy.accept().await {
            proxied.asked.fetch_add(1, Ordering::SeqCst);
            let (authority, sender) = (authority.clone(), sender.clone());
            tokio::spawn(async move {
                if let Ok(io) = behind_the_proxy(stream, &authority).await {
                    // The double may be gone.
                    let _ = sender.send(io);
                }
            });
        }
    });
    Door { incoming }
}

/// Answers `CONNECT`, and speaks TLS as the public address would.
async fn behind_the_proxy(stream: TcpStream, authority: &Authority) -> io::Result<Io> {
    let mut stream = BufReader::new(stream);
    let mut asked = String::new();
    stream.read_line(&mut asked).await?;
    let mut line = String::new();
    while stream.read_line(&mut line).await? > 2 {
        line.clear();
    }
    if !asked.starts_with(&format!("CONNECT {PUBLIC}:443 ")) {
        stream.write_all(b"HTTP/1.1 403 Forbidden\r\n\r\n").await?;
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    stream
        .write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")
        .await?;
    let stream = authority.acceptor.accept(stream).await?;
    Ok(Io {
        inner: Box::new(stream),
        line: Line::default(),
    })
}
