//! As much of the WebSocket protocol, RFC 6455, as a client of JSON messages needs. Left out are TLS, the check of the answer's
//! Sec-WebSocket-Accept, and messages to the gateway of more than 65535 bytes, which takes none of more than 16384.
use crate::gateway::{refused, Fallible};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;
use uuid::Uuid;

/// Whenever the gateway is silent for longer, the connection is over.
const SILENCE: Duration = Duration::from_secs(3);
const LONGEST_MESSAGE: usize = 4 << 20;

pub struct Socket(BufReader<TcpStream>);

impl Socket {
    /// Connects with a request that is the signed handshake.
    pub fn connect(request: &ureq::Request) -> Fallible<Socket> {
        let url = request.request_url()?;
        let (host, port) = (url.host(), url.port().unwrap_or(80));
        let address = (host, port).to_socket_addrs()?.next().ok_or("the gateway has no address")?;
        let mut stream = TcpStream::connect_timeout(&address, SILENCE)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(SILENCE))?;
        stream.set_write_timeout(Some(SILENCE))?;
        // Sixteen bytes in base64, of which hexadecimal digits are a part.
        let key = format!("{}A==", &Uuid::new_v4().simple().to_string()[..21]);
        let mut head = format!("GET {} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
            Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n", url.path());
        for name in request.header_names() {
            head += &format!("{name}: {}\r\n", request.header(&name).unwrap_or_default());
        }
        stream.write_all((head + "\r\n").as_bytes())?;
        let (mut reader, mut answer) = (BufReader::new(stream), String::new());
        while !answer.ends_with("\r\n\r\n") {
            if reader.read_line(&mut answer)? == 0 {
                return Err("the connection was cut in the handshake".into());
            }
        }
        let head: ureq::Response = answer.parse()?;
        if head.status() == 101 {
            return Ok(Socket(reader));
        }
        let length = head.header("Content-Length").and_then(|text| text.parse().ok()).unwrap_or(0);
        reader.take(length).read_to_string(&mut answer)?;
        Err(refused(answer.parse()?))
    }

    pub fn send(&mut self, message: Value) -> Fallible<()> {
        self.send_frame(0x81, message.to_string().as_bytes())
    }

    /// The next message, put together from its fragments. Answers pings, and fails when the connection is over.
    pub fn receive(&mut self) -> Fallible<Value> {
        let mut message = vec![];
        loop {
            let [first, second] = self.read()?;
            let length = match second {
                127 => u64::from_be_bytes(self.read()?).try_into()?,
                126 => u16::from_be_bytes(self.read()?).into(),
                short => usize::from(short),
            };
            if second > 127 || length > LONGEST_MESSAGE - message.len() {
                return Err("a frame is masked, or too long".into());
            }
            let mut payload = vec![0; length];
            self.0.read_exact(&mut payload)?;
            match first {
                0x00 | 0x01 => message.append(&mut payload), // a fragment, and not the last
                0x80 | 0x81 => {
                    message.append(&mut payload);
                    return Ok(serde_json::from_slice(&message)?);
                }
                0x88 => {
                    self.send_frame(0x88, &payload)?;
                    return Err(format!("closed: {}", String::from_utf8_lossy(payload.get(2..).unwrap_or_default())).into());
                }
                0x89 => self.send_frame(0x8a, &payload)?,
                0x8a => {}
                _ => return Err("a binary message, or broken protocol".into()),
            }
        }
    }

    /// A client masks what it sends, with a new mask each time.
    fn send_frame(&mut self, first: u8, payload: &[u8]) -> Fallible<()> {
        let mask = &Uuid::new_v4().into_bytes()[..4];
        let mut frame = vec![first];
        if payload.len() < 126 {
            frame.push(0x80 | payload.len() as u8);
        } else {
            frame.push(0x80 | 126);
            frame.extend(u16::try_from(payload.len())?.to_be_bytes());
        }
        frame.extend(mask);
        frame.extend(payload.iter().zip(mask.iter().cycle()).map(|(byte, key)| byte ^ key));
        Ok(self.0.get_mut().write_all(&frame)?)
    }

    fn read<const N: usize>(&mut self) -> Fallible<[u8; N]> {
        let mut bytes = [0; N];
        self.0.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}
